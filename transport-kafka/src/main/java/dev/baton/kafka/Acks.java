package dev.baton.kafka;

import java.util.Locale;

/** The acknowledgement that makes a frame stored. */
public enum Acks {
    /** All replicas in sync have it. */
    ALL("all", "all in-sync replicas have it"),
    /** The partition's leader has it; lost when the leader is lost before the others copied it. */
    LEADER("1", "the partition's leader has it");

    private final String text;
    private final String meaning;

    Acks(String text, String meaning) {
        this.text = text;
        this.meaning = meaning;
    }

    /** {@return this as Kafka spells it} */
    public String text() {
        return text;
    }

    String meaning() {
        return meaning;
    }

    static Acks parse(String text) {
        for (Acks acks : values()) {
            if (acks.text.equals(text.toLowerCase(Locale.ROOT))) {
                return acks;
            }
        }
        throw new IllegalArgumentException("acks='" + text + "' is not allowed; all or 1"
                + (text.equals("0") ? ": a writer needs the offset of each stored frame" : ""));
    }
}
