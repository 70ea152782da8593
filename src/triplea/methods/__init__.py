"""One file per method. A method holds a door, never rows; it reads like its paper's algorithm box."""
