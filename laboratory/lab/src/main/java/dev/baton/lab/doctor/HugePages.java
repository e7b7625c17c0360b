package dev.baton.lab.doctor;

import dev.baton.measuring.data.Host;
import java.util.List;

/**
 * Memory in pages larger than the usual 4 KiB. Immutable, thread-safe.
 *
 * @param pages null when not to be seen
 * @param defrag when the kernel moves memory to make some
 */
record HugePages(Host.Pages pages, String defrag) implements Reading {
    static HugePages of(Host.Pages pages, KernelTree tree) {
        return new HugePages(pages, tree.chosen("sys/kernel/mm/transparent_hugepage/defrag"));
    }

    @Override
    public List<Finding> findings() {
        String mode = pages == null ? null : pages.transparent();
        String explicit = pages == null
                ? ""
                : ", " + (pages.explicit() == 0 ? "no" : Figures.count(pages.explicit())) + " explicit ones";
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
