package dev.baton.spi;

import dev.baton.spi.errors.TransportException;
import java.util.Map;

/** A provider whose transport can repair a topic with records at which readers stop. Thread-safe. */
public interface RepairingProvider extends TransportProvider {
    /**
     * Makes readers drop the records of a topic that are not frames, or are second frames of a sequence, and the next
     * writer continue after them. Deletes no data; a second repair has no effect. Blocks until the topic is read.
     *
     * @param options as for {@link #open}
     * @param topic whose records are read
     * @param isDryRun whether to report what would be dropped, and write nothing
     * @return what was found and done
     * @throws IllegalArgumentException as for {@link #open}, and for a name that no topic has
     * @throws TransportException when the topic does not exist, or is in use as far as is known; nothing was written then
     */
    RepairReport repair(Map<String, String> options, String topic, boolean isDryRun);
}
