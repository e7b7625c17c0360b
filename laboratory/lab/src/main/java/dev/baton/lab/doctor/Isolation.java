package dev.baton.lab.doctor;

import java.util.List;

/**
 * Cores, and those that the kernel keeps other work from. Immutable, thread-safe.
 *
 * @param cores that this process may use
 * @param isolated as the kernel lists them; empty for none, null when it does not tell
 * @param tickless likewise: without the timer's interrupt while one thread runs
 */
record Isolation(int cores, String isolated, String tickless) implements Reading {
    private static final String CPUS = "sys/devices/system/cpu/";

    /** Two threads that spin, the collector or a broker, and the rest of the system. */
    private static final int ENOUGH = 4;

    static Isolation read(KernelTree tree, int cores) {
        boolean isTold = !tree.lines(CPUS + "online").isEmpty();
        return new Isolation(
                cores, list(tree.line(CPUS + "isolated"), isTold), list(tree.line(CPUS + "nohz_full"), isTold));
    }

    private static String list(String line, boolean isTold) {
        return line == null || line.equals("(null)") ? isTold ? "" : null : line;
    }

    @Override
    public List<Finding> findings() {
        return List.of(count(), setAside());
    }

    private Finding count() {
        return Finding.of(
                cores >= ENOUGH ? GradeLetter.A : cores > 1 ? GradeLetter.C : GradeLetter.E,
                "cores",
                Integer.toString(cores),
                "two spinning threads, the collector and the system wait for each other",
                "ask your provider for a machine with " + ENOUGH + " cores or more");
    }

    private Finding setAside() {
        String subject = "isolated cores";
        if (isolated == null) {
            return Finding.hidden(subject, "the kernel does not list them");
        }
        if (isolated.isEmpty()) {
            return Finding.of(
                    GradeLetter.B, subject, "none", "any other thread may be put on the core that measures", boot());
        }
        if (tickless == null || tickless.isEmpty()) {
            return Finding.of(
                    GradeLetter.B,
                    subject,
                    isolated + ", none without the timer's tick",
                    "the tick interrupts a spinning thread up to 1,000 times a second",
                    boot());
        }
        return Finding.fine(subject, isolated + ", tickless " + tickless + "; taskset -c " + isolated + " uses them");
    }

    private String boot() {
        if (cores < ENOUGH) {
            return "ask your provider for " + ENOUGH + " cores or more, so that some can be set aside";
        }
        String list = cores / 2 + "-" + (cores - 1);
        return "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&isolcpus=" + list + " nohz_full=" + list + " rcu_nocbs=" + list
                + " /' /etc/default/grub && sudo update-grub && sudo reboot";
    }
}
