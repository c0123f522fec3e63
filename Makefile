# Heddle. `make help` lists the targets; docs/building.md says how builds are cached.
# T=hd_fifo restricts test, lint, area and fpga to a module (or several, quoted).

ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc) --no-print-directory
endif

CC      := $(shell command -v gcc || command -v clang)
CFLAGS  := -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -g -Wall -Wextra -Wpedantic -Werror \
           -Ibuild/gen -Itb -Itb/model -Isw -Isw/simt -Isw/kernels -Isw/litmus
VERSION := $(shell sed -n 's/^.define HEDDLE_VERSION "\(.*\)"/\1/p' sw/lib/heddle.h)
LDLIBS  := -lconfig -ljansson -lsqlite3 -llzma -lzstd -ldl -lm -lpthread
SOURCES := $(filter-out %/wire_mpi.c,$(wildcard sw/*/*.c tb/*.c tb/*/*.c))
OBJECTS := $(SOURCES:%.c=build/obj/%.o)
# The library: the machine and all below it, configurations by name, its calls.
LIBRARY := $(patsubst %.c,build/pic/%.o,$(filter-out %/wire_mpi.c,$(wildcard sw/lib/*.c tb/*.c tb/*/*.c)) sw/run/configure.c)
# Ranks (docs/ranks.md): the same program once more with MPI, where there is one. Programs that run alone do not load it.
MPI     := $(if $(shell command -v mpicc),build/heddle-mpi)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 20

# Setup comes first and in a make of its own: before it there may be no compiler to name. That make holds a lock: two
# builds in one clone would write the same files.
build: ## build/heddle, the command, and nothing more
	@./setup.sh build
	@flock Makefile $(MAKE) build/heddle

run: ## the main job: gemm on 4 SMs under three orderings, checked, one table
	@./setup.sh run
	@flock Makefile $(MAKE) build/heddle
	@build/heddle firstlight configs/paper1-small.cfg

tune: ## models built by what a run does (profile-guided), faster; RUN="--config paper1 gemm": which run
	@./setup.sh tune
	@flock Makefile $(MAKE) build/heddle
	@tb/model/tune.sh $(RUN)

test: ## unit tests on RTL and netlist, then system tests
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@tests/run.sh $(T)

smoke: ## a slice of test in at most 3 minutes from a built tree, for use between commits
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@tests/smoke.sh

flat: ## composed tiles against the chip verilated whole, structure of paper 1
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@tests/system/flat.sh long

litmus: ## the open litmus suite under three orderings: nothing forbidden, what relaxes is seen
	@./setup.sh run
	@flock Makefile $(MAKE) build/heddle
	@build/heddle litmus --orders rmo,tso,sc tests/litmus/open

litmus-public: ## litmus tests of others in DIR against their verdicts, and whether each program ends; into docs/results
	@./setup.sh run
	@flock Makefile $(MAKE) build/heddle
	@tests/litmus_public.sh "$(DIR)" docs/results/litmus_public.md

ranks: ## 2, 3, 4 and 8 ranks by load, lot and hand on machines of all papers: the same bytes as one process; minutes
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@tests/system/ranks.sh long

matrix: ## 24 machines that hold every pair of order, family, persistence, transactions, network, lanes, flits, pending table
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@tests/matrix.sh $(T)

extremes: ## each key of structure at both ends of its range, on every kind of machine: tiles that Verilator takes; T=warps: one key
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@tests/extremes.sh $(T)

stress: ## random testers for SECONDS (60) over random configurations, with transition coverage
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@build/heddle stress --seconds $(or $(SECONDS),60) $(if $(SEED),--seed $(SEED))

crash: ## power cuts at more than a million moments of the persistent tree, recovered; programs wrong on purpose found out
	@./setup.sh run
	@flock Makefile $(MAKE) build/heddle
	@tests/crash.sh

soak: ## the same for HOURS (8) on all processors, a row a run in build/soak.db: started again, it goes on
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@tests/soak.sh $(or $(HOURS),8)

drf: ## the data-race-free tester, OPERATIONS (10000000) checked under gd, gh, dd, dd-ro and dh each: started again, it goes on
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@for c in gd gh dd dd-ro dh; do \
	  build/heddle stress --tester drf --coherence $$c --operations $(or $(OPERATIONS),10000000) --db build/drf.db || exit; done

fuzz: ## damaged traces in all readers, under sanitizers, for SECONDS (600) from SEED on
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@SECONDS_TO_RUN=$(or $(SECONDS),600) SEED=$(or $(SEED),1000000) tests/system/trace_fuzz.sh

traces: ## public traces in DIR against their counts, replayed under three orderings; into docs/results/traces.md
	@./setup.sh run
	@flock Makefile $(MAKE) build/heddle
	@tests/traces.sh "$(DIR)" docs/results/traces.md

lint: ## every static check of the RTL
	@./setup.sh lint
	@synth/lint.sh $(T)

area: ## what tiles, mechanisms and modules cost, mapped, with longest paths, into synth/area.md; T=mob: one module
	@./setup.sh area
	@flock Makefile $(MAKE) build/heddle
	@build/heddle area --timing $(if $(T),--against synth/area.md $(T),--page synth/area.md)

fpga: ## what L2 tiles and a small SM tile take of a Lattice ECP5, into synth/fpga.md; T=mob: one module
	@./setup.sh area
	@flock Makefile $(MAKE) build/heddle
	@build/heddle area --fpga $(if $(T),$(T),--page synth/fpga.md)

energy: ## energy of gemm under six orders, by component, into docs/results/energy.md
	@./setup.sh run
	@flock Makefile $(MAKE) build/heddle
	@docs/energy.sh

area-later: ## what coherence and persist barriers cost, tiles of papers 3 and 4, into docs/results/area_later.md
	@./setup.sh area
	@flock Makefile $(MAKE) build/heddle
	@build/heddle area --later --page docs/results/area_later.md

area-pending: ## what outstanding requests cost as MSHRs and as a pending request table; into docs/results/area_pending.md
	@./setup.sh area
	@./setup.sh bench
	@flock Makefile $(MAKE) build/heddle
	@synth/area_pending.sh

formal: ## proofs: coherence protocols, mesh, types, transactions, persistence, queues, links, arbiters, tables, idle contract
	@./setup.sh formal
	@synth/formal/run.sh $(T)

replay: ## unit tests' port traffic through the mapped netlist in Icarus Verilog; into docs/results/replay.md
	@./setup.sh replay
	@synth/replay.sh $(if $(T),,-o docs/results/replay.md) $(T)

mutants: ## bugs built into the RTL, each of which a check must see; into docs/results/mutants.md
	@./setup.sh test
	@flock Makefile $(MAKE) build/heddle
	@tests/mutants/run.sh $(if $(T),,-o docs/results/mutants.md) $(T)

genmutants: ## 300 generated faults per module and seed, which its unit test must see; into docs/results/genmutants.md
	@./setup.sh test
	@tests/mutants/generated.sh $(if $(T)$(SEEDS)$(MUTANTS),,-o docs/results/genmutants.md) $(T)

bench: ## how fast: flat and composed, skipping, windows, threads, checks; docs/bench.md
	@./setup.sh bench
	@flock Makefile $(MAKE) build/heddle
	@build/heddle bench --json build/bench.json $(BENCH)

report: ## one page of all papers from build/results.db; into build/report; says what is missing (DB=FILE: another database)
	@flock Makefile $(MAKE) build/heddle
	@build/heddle report $(if $(DB),--db $(DB))

outstanding: ## figures of paper 2, MSHR against pending request table; into docs/results/outstanding.md
	@./setup.sh bench
	@flock Makefile $(MAKE) build/heddle
	@docs/outstanding.sh

ordering: ## figures 6, 8 and 9 of paper 1 on 4 SMs (TIER=paper: 16): six memory orderings, 14 benchmarks; into docs/results/ordering.md
	@./setup.sh bench
	@flock Makefile $(MAKE) build/heddle
	@docs/ordering.sh $(TIER)

infer: ## 20 unknown machines drawn at random (SEED), each with models of its own, inferred from latencies
	@./setup.sh run
	@flock Makefile $(MAKE) build/heddle
	@build/heddle lab infer --trials 20 --seed $(or $(SEED),1)

docs: ## docs/modules.md from the RTL headers; links of all pages checked
	@docs/check.sh

# The binary stands in a tree of its own that holds what models are built of; the name in bin/ leads there.
install: ## the command, the library, page, completion, RTL and configurations under PREFIX (/usr/local), DESTDIR in front
	@./setup.sh build
	@flock Makefile $(MAKE) build/heddle build/heddle.1 build/heddle.bash build/libheddle.so
	@tb/install.sh "$(DESTDIR)" "$(or $(PREFIX),/usr/local)" $(VERSION)

dist: ## build/heddle-VERSION.tar.gz, the committed sources, which build without git
	@mkdir -p build && git describe --always >build/revision
	@git archive --prefix=heddle-$(VERSION)/ --add-file=build/revision -o build/heddle-$(VERSION).tar.gz HEAD
	@echo build/heddle-$(VERSION).tar.gz

clean: ## removes build/
	rm -rf build

# Unit tests alone: no system test, no C program.
test-unit:
	@./setup.sh test
	@tests/unit/run_unit.sh $(T)

build/heddle: build/obj/sw/cli/main.o build/parts.a $(MPI)
	@$(CC) -o $@ $(filter-out %-mpi,$^) $(LDLIBS)

build/heddle-mpi: build/obj/sw/cli/main.o build/obj/tb/wire/wire_mpi.o build/parts.a
	@$(CC) -o $@ $^ $$(mpicc --showme:link) $(LDLIBS)

build/obj/tb/wire/wire_mpi.o: tb/wire/wire_mpi.c tb/wire/wire.h Makefile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $$(mpicc --showme:compile) -c $< -o $@

# Page and completion are printed by the command, from the texts of --help.
build/heddle.1: build/heddle
	@build/heddle help --man >$@.tmp && mv $@.tmp $@

build/heddle.bash: build/heddle
	@build/heddle help --bash >$@.tmp && mv $@.tmp $@

build/libheddle.so: $(LIBRARY) sw/lib/heddle.map
	@$(CC) -shared -o $@ $(LIBRARY) -Wl,-soname,libheddle.so.0 -Wl,--version-script,sw/lib/heddle.map -Wl,-z,defs \
	  -lconfig -llzma -ldl -lpthread

# All of the command but main(), for tests that link with it. q: names are unique in a room only.
build/parts.a: $(filter-out %/main.o,$(OBJECTS))
	@rm -f $@.$$$$ && $(AR) qcs $@.$$$$ $^ && mv $@.$$$$ $@

build/obj/%.o: %.c build/gen/hd_pkg.h build/gen/hd_keys.h Makefile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

build/pic/%.o: %.c build/gen/hd_pkg.h build/gen/hd_keys.h Makefile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

build/gen/hd_pkg.h: rtl/pkg/hd_pkg.sv $(wildcard rtl/pkg/hd_types_*.svh) tb/model/genpkg.awk
	@mkdir -p $(@D)
	@awk -f tb/model/genpkg.awk $(filter rtl/%,$^) >$@.tmp && mv $@.tmp $@

build/gen/hd_keys.h: rtl/pkg/hd_keys.svh tb/model/genkeys.awk
	@mkdir -p $(@D)
	@awk -f tb/model/genkeys.awk $< >$@.tmp && mv $@.tmp $@

# Which source simulates (the checkers only look): goes into the results database, so it is written when it has
# changed, and only then.
SIMULATOR := $(sort $(wildcard tb/*.[ch] tb/mem/*.[ch] tb/image/*.[ch] tb/wire/*.[ch] tb/model/*.[ch] sw/simt/*.[ch] sw/kernels/*.[ch]))
build/obj/sw/results/results.o: build/gen/hd_revision.h
build/gen/hd_revision.h: $(SIMULATOR) FORCE
	@mkdir -p $(@D)
	@{ echo "#define HD_REVISION \"$$(cat revision 2>/dev/null || git describe --always --dirty 2>/dev/null || echo unknown)\""; \
	   echo "#define HD_SOURCES \"$$(cat $(SIMULATOR) | sha256sum | cut -c 1-16)\""; } >$@.tmp
	@if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi
FORCE:

ifneq ($(filter build/%,$(MAKECMDGOALS)),) # only under the lock: another make may be writing them
-include $(OBJECTS:.o=.d) $(LIBRARY:.o=.d)
endif

.DEFAULT_GOAL := help
.PHONY: FORCE help build run tune test test-unit smoke flat litmus litmus-public ranks matrix extremes stress crash drf soak fuzz traces lint area fpga area-later area-pending energy formal replay mutants genmutants bench report outstanding ordering infer docs install dist clean
.DELETE_ON_ERROR:
