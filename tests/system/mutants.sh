#!/bin/sh
# mutants.sh - four bugs built into the RTL must each fail a check of a whole run: a stale copy that is hit, a lost
# acknowledgement, a wrong atomic, a dropped credit. All others: make mutants.
exec tests/mutants/run.sh -r 04- 05- 24- 37-
