"""python -m ascertain"""

from ascertain.interfaces.cli.main import main

if __name__ == "__main__":
    main()
