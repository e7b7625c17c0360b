package dev.baton.measuring.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Looks for signs that a machine is not all one's own. */
final class Virtualisation {
    private static final Path PRODUCT = Path.of("/sys/class/dmi/id/product_name");
    private static final Path VENDOR = Path.of("/sys/class/dmi/id/sys_vendor");
    private static final Path CONTAINER_ENVIRONMENT = Path.of("/run/.containerenv");
    private static final Path DOCKER = Path.of("/.dockerenv");
    private static final List<String> VIRTUAL =
            List.of("kvm", "vmware", "virtual", "qemu", "xen", "amazon", "google", "openstack", "bochs", "firecracker");

    private Virtualisation() {}

    /** One hint each; none on bare metal, and none where nothing can be seen. */
    static List<String> hints(List<String> cpuInfo) {
        List<String> hints = new ArrayList<>();
        if (ProcFile.value(cpuInfo, "flags")
                .filter(flags -> (" " + flags + " ").contains(" hypervisor "))
                .isPresent()) {
            hints.add("the processor says that a hypervisor is present");
        }
        String product = ProcFile.firstLine(VENDOR).orElse("") + " "
                + ProcFile.firstLine(PRODUCT).orElse("");
        if (VIRTUAL.stream().anyMatch(product.toLowerCase(Locale.ROOT)::contains)) {
            hints.add("the machine is called " + product.trim());
        }
        if (Files.exists(DOCKER) || Files.exists(CONTAINER_ENVIRONMENT)) {
            hints.add("this is a container");
        }
        CpuTicks ticks = CpuTicks.now();
        if (!ticks.isAbsent() && ticks.all().steal() > 0) {
            hints.add("the hypervisor has stolen time before");
        }
        return hints;
    }
}
