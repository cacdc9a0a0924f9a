"""What runs on the table: cameras, panel, journal, sessions, the run loop and the command line."""
