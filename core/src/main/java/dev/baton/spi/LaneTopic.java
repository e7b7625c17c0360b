package dev.baton.spi;

/**
 * How the topic of one lane is named: {@code name@k}, k from 0 without leading zeros. A transport that keeps the lanes of
 * a topic together, as partitions say, takes the name apart; the others carry it as it is. Stateless.
 */
public final class LaneTopic {
    /** The most lanes that a topic may have. */
    public static final int MOST_LANES = 1024;

    /** Lane of a name that is no lane's. */
    public static final int NONE = -1;

    private static final char SEPARATOR = '@';
    private static final int MOST_DIGITS = 4;

    private LaneTopic() {}

    /** Name of a lane's topic; that of the only lane is the plain one. */
    public static String of(String topic, int lane, int lanes) {
        if (lanes < 1 || lanes > MOST_LANES || lane < 0 || lane >= lanes) {
            throw new IllegalArgumentException("lane " + lane + " of " + lanes
                    + "; 0 to one less than the lanes, of 1 to " + MOST_LANES + ", is allowed");
        }
        return lanes == 1 ? topic : name(topic, lane);
    }

    /** Name of a lane's topic, of two lanes or more. */
    public static String name(String topic, int lane) {
        return topic + SEPARATOR + lane;
    }

    /** The name without its lane. */
    public static String base(String name) {
        return lane(name) == NONE ? name : name.substring(0, name.lastIndexOf(SEPARATOR));
    }

    /** The lane that a name ends with, {@link #NONE} when it ends otherwise. */
    public static int lane(String name) {
        int digits = name.lastIndexOf(SEPARATOR) + 1;
        int count = name.length() - digits;
        if (digits < 2 || count < 1 || count > MOST_DIGITS || (count > 1 && name.charAt(digits) == '0')) {
            return NONE;
        }
        int lane = 0;
        for (int i = digits; i < name.length(); i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return NONE;
            }
            lane = 10 * lane + digit;
        }
        return lane < MOST_LANES ? lane : NONE;
    }
}
