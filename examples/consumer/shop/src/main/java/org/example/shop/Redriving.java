package org.example.shop;

import dev.baton.Chain;
import dev.baton.deadletters.DeadLetter;
import dev.baton.deadletters.Redrive;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;

/** Dead letters: their content, and how their messages are sent again. */
public final class Redriving {
    private Redriving() {}

    /** One line for each letter. */
    public static List<String> list(Transport transport, Chain chain, String service) {
        List<String> lines = new ArrayList<>();
        DeadLetter.readAll(
                transport,
                chain.deadLetterTopic(0, service),
                letter -> lines.add(letter.service() + " " + letter.sequence() + " " + letter.attempts() + " "
                        + letter.exception() + ": " + letter.text()));
        return lines;
    }

    /** Sends all of them again; the chain's inlet is closed meanwhile. */
    public static long again(Transport transport, Chain chain, String service) {
        return Redrive.run(transport, chain.deadLetterTopic(0, service), (letter, sequence) -> {})
                .sent();
    }
}
