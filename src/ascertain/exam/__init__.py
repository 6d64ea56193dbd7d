"""How we know: exams over stores. Beside the flow, imported by none of it but the interfaces."""
