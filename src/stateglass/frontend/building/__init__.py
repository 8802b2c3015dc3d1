"""How the files of a project are to be read: flags of its build, its compiler, the machine that they are for."""
