package dev.baton.operations.line;

import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.ByteSize;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A transport with the options that were typed for it. Immutable, thread-safe.
 *
 * @param brokers of our own that it gets; 0 when it wants none, or others were named
 */
public record ChosenTransport(TransportProvider provider, Map<String, String> options, int brokers) {
    /** Whether it wants a broker and none was named. */
    public boolean needsBroker() {
        return brokers > 0;
    }

    public ChosenTransport with(Map<String, String> others) {
        return new ChosenTransport(provider, others, brokers);
    }

    /** The same with these options where none were typed. */
    public ChosenTransport withDefaults(Map<String, String> defaults) {
        Map<String, String> all = new TreeMap<>(defaults);
        all.putAll(options);
        return with(all);
    }

    /** The same with its files in a directory. */
    public ChosenTransport in(Path directory) {
        Map<String, String> all = new TreeMap<>(options);
        all.put(Subject.DIRECTORY, directory.toString());
        return with(all);
    }

    /** The same with room for such payloads, where that is an option that was not typed and whose default is too small. */
    public ChosenTransport withRoomFor(int payload) {
        String option = provider.payloadOption();
        boolean isTooSmall = provider.options().stream()
                .filter(spec ->
                        spec.name().equals(option) && !spec.defaultValue().isEmpty())
                .anyMatch(spec -> ByteSize.parse(spec.defaultValue()) < payload);
        return isTooSmall ? withDefaults(Map.of(option, Integer.toString(payload))) : this;
    }

    /** Whether what it carries comes to lie on a disk of this machine, as far as we decide where. */
    public boolean writesHere() {
        return provider.guarantees().contains(Guarantee.DURABLE) && !options.containsKey(Subject.BROKERS);
    }
}
