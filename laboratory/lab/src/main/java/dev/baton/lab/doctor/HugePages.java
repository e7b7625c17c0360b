package dev.baton.lab.doctor;

import java.util.List;

/**
 * Memory in pages larger than the usual 4 KiB. Immutable, thread-safe.
 *
 * @param mode of transparent ones: always, madvise or never; null when the kernel has none
 * @param defrag when the kernel moves memory to make some
 * @param reserved explicit ones; null when not to be seen
 */
record HugePages(String mode, String defrag, Long reserved) implements Reading {
    private static final String FOLDER = "sys/kernel/mm/transparent_hugepage/";

    static HugePages read(KernelTree tree) {
        return new HugePages(
                tree.chosen(FOLDER + "enabled"),
                tree.chosen(FOLDER + "defrag"),
                tree.number("proc/meminfo", "HugePages_Total"));
    }

    @Override
    public List<Finding> findings() {
        String explicit =
                reserved == null ? "" : ", " + (reserved == 0 ? "no" : Figures.count(reserved)) + " explicit ones";
        if (mode == null) {
            return List.of(Finding.hidden("huge pages", "no transparent ones are visible" + explicit));
        }
        return List.of(Finding.of(
                mode.equals("always") ? GradeLetter.C : GradeLetter.A,
                "huge pages",
                "transparent: " + mode + (defrag == null ? "" : ", defrag " + defrag) + explicit,
                "the kernel moves memory about beneath running programs",
                "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"));
    }
}
