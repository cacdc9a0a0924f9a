"""`racko doctor`: looks at the machine, its cameras and the table before them, and says how to mend what is amiss.

In: the settings, and cameras or photographs. Out: findings, each with what to do, which tell no card of any rack.
"""
