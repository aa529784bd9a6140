"""The terminal door for `python -m muniment`."""

from muniment.adapters.cli.start import main

if __name__ == "__main__":
    main()
