"""One file for each command, under the command's name.

`NAME.py` declares the options and imports the rest when the command runs, so that --help stays quick. The work is in
`NAME_view.py` when it shows something and in `NAME_run.py` when it does something. `ledger` and `people` are folders
with a file for each of their commands.
"""
