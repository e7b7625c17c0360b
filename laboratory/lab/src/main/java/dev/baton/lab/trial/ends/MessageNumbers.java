package dev.baton.lab.trial.ends;

/**
 * The messages of an instance that one receiver gets. Each has an index among them, from 0, and its number in the instance. Confined to the
 * receiver's thread, and to the accounting after that has ended.
 */
interface MessageNumbers {
    /** The numbers of a receiver of all messages of its instance. */
    MessageNumbers ALL = new MessageNumbers() {
        @Override
        public long number(long index) {
            return index;
        }

        @Override
        public long index(long number) {
            return number;
        }

        @Override
        public boolean contains(long number) {
            return true;
        }

        @Override
        public long countBelow(long number) {
            return number;
        }
    };

    /** {@return the number of the message with an index; if it was not sent yet, that of the newest one before it, or 0} */
    long number(long index);

    /** {@return the index of a message; -1 for one of another receiver, and one that was not sent} */
    long index(long number);

    /** {@return whether the receiver gets the message with a number, sent or not} */
    boolean contains(long number);

    /** {@return how many messages with lower numbers the receiver gets} */
    long countBelow(long number);
}
