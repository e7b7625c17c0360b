package dev.baton.operations.options;

import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.ByteSize;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A transport with its options from the command line. Immutable, thread-safe.
 *
 * @param brokers number of brokers to start for it; 0 when it needs none, or others were named
 */
public record ChosenTransport(TransportProvider provider, Map<String, String> options, int brokers) {
    /** {@return whether the transport needs a broker and none was named} */
    public boolean needsBroker() {
        return brokers > 0;
    }

    public ChosenTransport with(Map<String, String> others) {
        return new ChosenTransport(provider, others, brokers);
    }

    /** Returns a copy with these options where the command line has none. */
    public ChosenTransport withDefaults(Map<String, String> defaults) {
        Map<String, String> all = new TreeMap<>(defaults);
        all.putAll(options);
        return with(all);
    }

    /** Returns a copy whose files are in a directory. */
    public ChosenTransport in(Path directory) {
        Map<String, String> all = new TreeMap<>(options);
        all.put(Subject.DIRECTORY, directory.toString());
        return with(all);
    }

    /** Returns a copy with room for such payloads, if the room is an option that was not set and whose default is too small. */
    public ChosenTransport withRoomFor(int payload) {
        String option = provider.payloadOption();
        boolean isTooSmall = provider.options().stream()
                .filter(spec ->
                        spec.name().equals(option) && !spec.defaultValue().isEmpty())
                .anyMatch(spec -> ByteSize.parse(spec.defaultValue()) < payload);
        return isTooSmall ? withDefaults(Map.of(option, Integer.toString(payload))) : this;
    }

    /** {@return whether the transport gives a guarantee with these options} */
    public boolean promises(Guarantee guarantee) {
        return provider.guarantees(options).contains(guarantee);
    }

    /** {@return whether its messages are stored on a disk of this machine, in a directory that we choose} */
    public boolean writesHere() {
        return provider.guarantees().contains(Guarantee.DURABLE) && !options.containsKey(Subject.BROKERS);
    }
}
