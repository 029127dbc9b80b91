// Nothing: the target that precompiles the headers of all tests has to compile something, as an executable like them.
int main() {}
