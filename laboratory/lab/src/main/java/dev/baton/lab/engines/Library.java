package dev.baton.lab.engines;

import dev.baton.measuring.rig.ChainEnds;
import java.util.List;
import java.util.Map;

/** A library as the reference uses it: its topics, and what each thread of a chain does with them. Called by one thread. */
interface Library extends AutoCloseable {
    /** What a reader must know to judge a figure: the usual keys but the version, which the transport knows. */
    Map<String, String> properties();

    /** What a thread does that finds no message, as in "they spin". */
    String rest();

    /** Makes topics that do not exist yet. May block. */
    void createTopics(List<String> names);

    /**
     * The stages of one chain in order: what feeds its first topic, a relay for each service, what takes from its last.
     * Nothing of them runs yet.
     */
    List<Stage> stages(ChainEnds ends, List<String> topics);

    /** Removes the topics with all that they hold, after every stage has ended. Idempotent. */
    @Override
    void close();
}
