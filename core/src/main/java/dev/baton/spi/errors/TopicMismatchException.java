package dev.baton.spi.errors;

/**
 * Thrown when a topic is not the one that the chain worked on before, or belongs to a chain of other services. Nothing was
 * dropped or handled. Opening again fails until an operator has decided what happens to the messages; the text names the
 * choices.
 */
public class TopicMismatchException extends TransportException {
    private static final long serialVersionUID = 1L;

    /** A change of the configuration with which the next start succeeds. A command line recommends its own option for it. */
    public enum Remedy {
        /** Handles every input that the topic holds now. */
        HANDLE_ALL("Deployment.replacedInput(ReplacedInput.HANDLE_ALL)"),
        /** Begins with an empty state. */
        START_EMPTY("SnapshotPolicy.startEmpty()"),
        /** Writes to other topics. */
        OWN_TOPICS("Chain.again(...)");

        private final String call;

        Remedy(String call) {
            this.call = call;
        }
    }

    /** The message without the call of the remedy. */
    private final String problem;

    /** The remedy; null for none. */
    private final Remedy remedy;

    /**
     * Describes how the topic differs, without a change of the configuration that would help.
     *
     * @param message text with the topic and the choices that an operator has
     */
    public TopicMismatchException(String message) {
        this(message, null);
    }

    /**
     * Describes how the topic differs, and the change of the configuration that continues nevertheless.
     *
     * @param problem sentences with the topic, what else an operator can do, and what the remedy does
     * @param remedy change that lets the next start succeed; the message ends with its call. Null for none
     */
    public TopicMismatchException(String problem, Remedy remedy) {
        super(remedy == null ? problem : recommending(problem, remedy.call));
        this.problem = problem;
        this.remedy = remedy;
    }

    /** {@return the change of the configuration that lets the next start succeed; null if there is none} */
    public Remedy remedy() {
        return remedy;
    }

    /**
     * {@return the message with another form of the remedy}
     *
     * @param change the remedy as its reader applies it, such as an option of a command
     */
    public String recommending(String change) {
        return remedy == null ? problem : recommending(problem, change);
    }

    private static String recommending(String problem, String change) {
        return problem + ": " + change;
    }
}
