"""Two files for each command: `NAME_options.py` declares its options, `NAME_run.py` or `NAME_view.py` does the work.

The options import the rest when the command runs, so that --help stays quick. The work is in `NAME_view.py` when it
shows something and in `NAME_run.py` when it does something. `ledger` and `people` are folders; their short commands
are whole in `NAME.py`.
"""
