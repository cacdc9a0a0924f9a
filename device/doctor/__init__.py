"""`racko doctor`: looks at the machine, its cameras and the table before them, and says how to mend what is amiss."""
