"""How a node becomes a candidate. One file an arm; one arm never knows another."""
