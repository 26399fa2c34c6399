# As OpenBench and engine testers call it: `make -j EXE=name [EVALFILE=net] [ARCH=...]` leaves the
# binary `name` in this folder.
#
#   EXE       name of the binary (default: sextant)
#   EVALFILE  network to embed (default: crates/eval/nets/default.nnue)
#   ARCH      native (default), x86-64-v2, x86-64-v3 or x86-64-v4 for binaries that travel
#   PGO       yes: profile-guided, 5 % faster; builds twice (`rustup component add llvm-tools`)
#   TUNE      yes: `uci` lists every tunable as an option, for SPSA; OpenBench passes no variables
#             of ours, so set the default below on the branch that is to be tuned

EXE ?= sextant
ARCH ?= native
PGO ?= no
TUNE ?= no

ifeq ($(OS),Windows_NT)
    BUILT := target/dist/sextant.exe
    NAME := $(if $(filter %.exe,$(EXE)),$(EXE),$(EXE).exe)
else
    BUILT := target/dist/sextant
    NAME := $(EXE)
endif

ifeq ($(filter $(ARCH),native x86-64-v2 x86-64-v3 x86-64-v4),)
    $(error ARCH is "$(ARCH)"; allowed are native, x86-64-v2, x86-64-v3 and x86-64-v4)
endif
ifneq ($(EVALFILE),)
    # The build script reads it from the environment.
    override EVALFILE := $(abspath $(EVALFILE))
    export EVALFILE
endif

FLAGS := -C target-cpu=$(ARCH)
PROFILE := $(CURDIR)/target/pgo/sextant.profdata

FEATURES := $(if $(filter yes,$(TUNE)),--features tune)

# cargo spreads over the cores by itself; it must not share make's job server with other targets.
.NOTPARALLEL:
.PHONY: all test clean

all:
	$(if $(filter yes,$(PGO)),RUSTFLAGS="$(FLAGS)" scripts/pgo "$(PROFILE)")
	RUSTFLAGS="$(FLAGS) $(if $(filter yes,$(PGO)),-Cprofile-use=$(PROFILE))" CARGO_TARGET_DIR=target \
	    cargo build --profile dist --package sextant $(FEATURES)
	cp $(BUILT) $(NAME)

test:
	cargo test --workspace

clean:
	cargo clean
