"""Reading numbers: from ink in a rectified picture to a probability for each card."""
