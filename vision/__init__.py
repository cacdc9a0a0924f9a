"""From a picture to a Look: which card stands where, and how sure that is."""
