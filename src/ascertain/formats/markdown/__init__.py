"""Notes in Markdown: parsed, understood, their links joined."""
