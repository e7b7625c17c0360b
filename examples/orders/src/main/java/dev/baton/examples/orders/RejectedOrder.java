package dev.baton.examples.orders;

/** The exception of {@code validate}: the order, not the code, is wrong. It has no stack trace, which would cost more than the order. */
public final class RejectedOrder extends Exception {
    private static final long serialVersionUID = 1L;

    RejectedOrder(String reason) {
        super(reason, null, false, false);
    }
}
