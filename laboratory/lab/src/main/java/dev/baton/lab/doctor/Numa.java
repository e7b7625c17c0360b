package dev.baton.lab.doctor;

import java.util.List;

/**
 * Whether memory is nearer to some cores than to others. Immutable, thread-safe.
 *
 * @param nodes of memory; null when the kernel does not tell
 * @param isBalanced whether the kernel moves memory after the threads that use it
 */
record Numa(Integer nodes, boolean isBalanced) implements Reading {
    static Numa read(KernelTree tree) {
        int nodes = tree.entries("sys/devices/system/node", "node[0-9]*").size();
        Long balancing = tree.number("proc/sys/kernel/numa_balancing");
        return new Numa(nodes == 0 ? null : Integer.valueOf(nodes), balancing != null && balancing != 0);
    }

    @Override
    public List<Finding> findings() {
        if (nodes == null) {
            return List.of(Finding.hidden("NUMA", "the kernel lists no nodes"));
        }
        if (nodes == 1) {
            return List.of(Finding.fine("NUMA", "one node"));
        }
        return List.of(
                isBalanced
                        ? Finding.of(
                                GradeLetter.C,
                                "NUMA",
                                nodes + " nodes, balanced",
                                "the kernel unmaps memory to learn who uses it",
                                "sudo sysctl -w kernel.numa_balancing=0")
                        : Finding.of(
                                GradeLetter.B,
                                "NUMA",
                                nodes + " nodes",
                                "a message that changes the node costs more, and threads move",
                                "numactl --cpunodebind=0 --membind=0 ./baton ..."));
    }
}
