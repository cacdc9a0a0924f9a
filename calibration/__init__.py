"""What was measured of one table: its cards, racks, tray and cameras."""
