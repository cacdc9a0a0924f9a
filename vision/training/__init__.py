"""How the number reader was trained and is judged; nothing here is needed at a table."""
