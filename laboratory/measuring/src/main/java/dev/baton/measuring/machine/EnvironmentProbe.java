package dev.baton.measuring.machine;

import dev.baton.measuring.data.TrialEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Determines the environment of a trial. */
public final class EnvironmentProbe {
    private static final KernelTree TREE = KernelTree.OF_THIS_MACHINE;
    private static final String LIBRARIES = "libraries.properties";

    /** The system property with versions of libraries that stand in front of the class path. */
    private static final String OTHER_LIBRARIES = "baton.libraries";

    private static final int CLOCK_CALLS = 20_000;
    private static final List<String> VIRTUAL =
            List.of("kvm", "vmware", "virtual", "qemu", "xen", "amazon", "google", "openstack", "bochs", "firecracker");

    private EnvironmentProbe() {}

    /**
     * Reads the environment; takes some milliseconds.
     *
     * @param queueDirectory whose file system is determined; null for none
     * @param shown removes secrets from a flag, an option or a value of the command line
     */
    public static TrialEnvironment look(Path queueDirectory, UnaryOperator<String> shown) {
        List<String> cpu = TREE.lines("proc/cpuinfo");
        String model = KernelTree.value(cpu, "model name");
        return new TrialEnvironment(
                jvm(shown),
                model == null ? KernelTree.value(cpu, "Model") : model,
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                virtualisation(cpu),
                TREE.line("sys/devices/system/clocksource/clocksource0/current_clocksource"),
                nanoTimeCost(),
                Objects.requireNonNullElse(Jvm.memoryBytes(), 0L),
                fileSystem(queueDirectory),
                libraries(),
                new HostProbe(TREE).look(queueDirectory, shown));
    }

    /** Signs of a virtual or shared machine, one text each; none on bare metal, and none where nothing is shown. */
    private static List<String> virtualisation(List<String> cpuInfo) {
        List<String> hints = new ArrayList<>();
        if ((" " + KernelTree.value(cpuInfo, "flags") + " ").contains(" hypervisor ")) {
            hints.add("the processor reports a hypervisor");
        }
        String product = Stream.of("sys_vendor", "product_name")
                .map(each -> TREE.line("sys/class/dmi/id/" + each))
                .filter(Objects::nonNull)
                .collect(Collectors.joining(" "));
        if (VIRTUAL.stream().anyMatch(product.toLowerCase(Locale.ROOT)::contains)) {
            hints.add("the machine is called " + product);
        }
        if (Files.exists(TREE.path(".dockerenv")) || Files.exists(TREE.path("run/.containerenv"))) {
            hints.add("this is a container");
        }
        CpuTicks ticks = CpuTicks.now();
        if (!ticks.isAbsent() && ticks.all().steal() > 0) {
            hints.add("the hypervisor has stolen time before");
        }
        return hints;
    }

    private static TrialEnvironment.Jvm jvm(UnaryOperator<String> shown) {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        return new TrialEnvironment.Jvm(
                runtime.getVmVendor() + ", " + runtime.getVmName(),
                Runtime.version().toString(),
                runtime.getInputArguments().stream().map(shown).toList(),
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .toList(),
                Runtime.getRuntime().maxMemory(),
                VmFlag.changed(runtime.getInputArguments(), shown));
    }

    /** The cost of one clock reading: the best of several rounds, as every disturbance only adds. */
    private static double nanoTimeCost() {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long start = System.nanoTime();
            long now = start;
            for (int i = 1; i < CLOCK_CALLS; i++) {
                now = System.nanoTime();
            }
            best = Math.min(best, now - start);
        }
        return Math.round(best * 10.0 / CLOCK_CALLS) / 10.0;
    }

    /**
     * Versions by name of the libraries that this laboratory was built with, as recorded by the build, since an executable jar has one
     * manifest for all. The libraries of a foreign transport are among its properties.
     */
    private static Map<String, String> libraries() {
        Properties properties = new Properties();
        try (InputStream in = EnvironmentProbe.class.getResourceAsStream(LIBRARIES)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(LIBRARIES + " in the laboratory's own jar cannot be read", unreadable);
        }
        Map<String, String> versions = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> versions.put(name, properties.getProperty(name)));
        for (String other : System.getProperty(OTHER_LIBRARIES, "").split(";")) {
            int end = other.indexOf('=');
            if (end > 0) {
                versions.put(other.substring(0, end), other.substring(end + 1));
            }
        }
        return versions;
    }

    private static String fileSystem(Path directory) {
        if (directory == null) {
            return null;
        }
        try {
            return Files.getFileStore(directory).type();
        } catch (IOException | RuntimeException unknown) {
            return null;
        }
    }
}
