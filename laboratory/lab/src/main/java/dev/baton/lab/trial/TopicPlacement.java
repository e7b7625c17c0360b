package dev.baton.lab.trial;

import dev.baton.kafka.embedded.EmbeddedKafkaException;
import dev.baton.kafka.embedded.LeaderPlacement;
import dev.baton.lab.request.Place;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.Subject;
import java.time.Duration;

/**
 * The placement of a trial's topics on the brokers that the laboratory has started, so that every engine has the same leaders. A trial of
 * another transport does not load this class, which refers to Kafka. Stateless, thread-safe.
 */
final class TopicPlacement {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private TopicPlacement() {}

    /**
     * Spreads the leaders of all topics over the brokers. Waits until they lead.
     *
     * @throws CommandException when the cluster does not do it in time
     */
    static void spread(Place place) {
        try {
            LeaderPlacement.spread(place.options().get(Subject.BROKERS), LIMIT);
        } catch (EmbeddedKafkaException failed) {
            throw CommandException.environment(failed.getMessage(), failed);
        }
    }
}
