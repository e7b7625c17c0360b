package dev.baton.spi;

import java.util.Map;

/** A provider whose transport can have a topic go on that holds records which cannot be read. Thread-safe. */
public interface RepairingProvider extends TransportProvider {
    /**
     * Has readers drop the records of a topic that are no frames, and the next writer go on behind them. Deletes nothing;
     * repairing again changes nothing. Blocks for as long as the topic takes to be read.
     *
     * @param options as for {@link #open}
     * @param topic whose records are read
     * @param isDryRun whether to say what would be dropped, and write nothing
     * @return what was found, and done
     * @throws IllegalArgumentException as for {@link #open}, and for a name that no topic has
     * @throws TransportException when the topic does not exist, or is in use as far as is known; nothing was written
     *     then
     */
    RepairReport repair(Map<String, String> options, String topic, boolean isDryRun);
}
