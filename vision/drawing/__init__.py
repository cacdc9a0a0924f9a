"""Pictures of an imagined table with exact truth: mats, racks, trays, cards, hands, light and camera."""
