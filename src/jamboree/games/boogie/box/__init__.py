"""What is in the box: components, boards and cards as data, and what can be read off them."""
