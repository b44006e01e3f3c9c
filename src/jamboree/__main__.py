"""Run the command line as `python -m jamboree`."""

from jamboree.cli import main

if __name__ == "__main__":
    main()
