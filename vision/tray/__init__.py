"""The tray before a camera: its two wells, and the card on top of each."""
