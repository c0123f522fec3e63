# Heddle. `make help` lists the targets.
test-unit:
	@tests/unit/run_unit.sh $(T)
.PHONY: test-unit
