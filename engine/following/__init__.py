"""How the referee follows a round: what a sighting says, what may have happened, how likely it is, what is told."""
