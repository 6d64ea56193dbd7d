"""The memory in an agent's hands: a Model Context Protocol server over stdio or HTTP."""
