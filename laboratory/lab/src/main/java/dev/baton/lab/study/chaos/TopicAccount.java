package dev.baton.lab.study.chaos;

/**
 * What one topic holds, read from end to end and compared with what was sent. Immutable, thread-safe.
 *
 * @param topic its name
 * @param frames read
 * @param highest number found, 0 for none
 * @param missing numbers up to the highest that are not there
 * @param duplicated frames whose number came before
 * @param reordered frames whose number came for the first time, behind a higher one
 * @param altered frames that are not as they were written, payload or header
 * @param gaps places where the sequence is not the one before plus one
 * @param damaged places that hold no frame
 * @param finding the first thing wrong, in words; null when nothing is
 */
public record TopicAccount(
        String topic,
        long frames,
        long highest,
        long missing,
        long duplicated,
        long reordered,
        long altered,
        long gaps,
        long damaged,
        String finding) {
    /** Whether every message up to the highest is there once, in order and whole. */
    public boolean isClean() {
        return finding == null;
    }
}
