package dev.baton.status;

import dev.baton.Concurrency;
import dev.baton.ErrorPolicy;

/**
 * The position of a part in the topic that it reads. Immutable, thread-safe.
 *
 * @param topic topic that the part reads
 * @param consumed newest consumed input; 0 for none; {@value PartStatus#UNKNOWN} from a start until the first input, if the
 *     transport does not keep the position
 * @param backlog number of inputs that are stored and not consumed yet; {@value PartStatus#UNKNOWN} if the transport does
 *     not know it
 * @param unreadNanos upper bound of the time for which the oldest unconsumed input has waited, which is the age of the
 *     input before it; 0 if there is none; {@value PartStatus#UNKNOWN} if the transport or the part does not know it
 * @param skipped number of unreadable records that were skipped since the start
 * @param waiting number of messages that are taken and not completed while later ones are handled: those that are set
 *     aside with {@link ErrorPolicy#perKey}, or those of concurrent calls ({@link Concurrency})
 */
public record InputStatus(String topic, long consumed, long backlog, long unreadNanos, long skipped, long waiting) {}
