package dev.baton.lab.study.reproduce;

import dev.baton.operations.terminal.Paint;
import java.util.List;

/** A published study: what it did, what is done here, and its figures beside ours. Stateless, thread-safe. */
interface PublishedStudy {
    /** As typed. */
    String name();

    /** What it asked, as a question. */
    String question();

    /** Where it was published, and on which machine it was measured. */
    String source();

    /** Its settings, a line for each subject, as they are kept here. */
    List<String> settings();

    /** What is not as it was there, and what follows from that. */
    List<String> deviations();

    /** What is run, in this order. */
    List<Step> steps();

    /** Its figures beside ours. @param reproduced steps that were run, in their order; without those that were not */
    List<String> figures(List<Reproduced> reproduced, Paint paint, int width);
}
