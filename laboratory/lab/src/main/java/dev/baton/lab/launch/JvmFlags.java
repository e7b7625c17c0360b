package dev.baton.lab.launch;

import dev.baton.spi.TransportProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a JVM that measures. Flags differ by version, and a JVM that does not know one refuses to start.
 * The collector is the JVM's own choice, as it is for most who run one, unless another was asked for. Stateless,
 * thread-safe.
 */
public final class JvmFlags {
    /** Native libraries (Kafka's compression, Chronicle's mappings) load without a warning; 17 and 21 accept it, too. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    private JvmFlags() {}

    /**
     * Flags for a fresh JVM that runs a transport.
     *
     * @param provider of the transport, which knows the flags that it cannot do without
     * @param feature the JVM's feature version, such as 17
     * @param heap as after {@code -Xmx}
     */
    public static List<String> forTrial(TransportProvider provider, int feature, String heap) {
        List<String> flags = ours(feature, heap);
        for (String flag : provider.jvmFlags(feature)) {
            if (!flags.contains(flag)) {
                flags.add(flag);
            }
        }
        return List.copyOf(flags);
    }

    /**
     * The same for a JVM that was chosen.
     *
     * @param enough heap where none was asked for
     */
    public static List<String> forTrial(TransportProvider provider, JvmChoice choice, String enough) {
        List<String> flags = new ArrayList<>(forTrial(provider, choice.jvm().feature(), choice.heapOr(enough)));
        flags.addAll(choice.flags());
        return List.copyOf(flags);
    }

    /**
     * The same for a trial that opens no transport.
     *
     * @param enough heap where none was asked for
     */
    public static List<String> withoutTransport(JvmChoice choice, String enough) {
        List<String> flags = ours(choice.jvm().feature(), choice.heapOr(enough));
        flags.addAll(choice.flags());
        return List.copyOf(flags);
    }

    /**
     * Flags for a heap that is all there before anything is measured. A collection that copies into memory never touched
     * before waits for it, on a virtual machine twice.
     */
    public static List<String> wholeHeap(String heap) {
        return List.of("-Xms" + heap, "-XX:+AlwaysPreTouch");
    }

    private static List<String> ours(int feature, String heap) {
        List<String> flags = new ArrayList<>();
        flags.add("-Xmx" + heap);
        flags.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        if (feature >= 22) {
            flags.add(NATIVE_ACCESS);
        }
        return flags;
    }
}
