package dev.baton.examples.orders;

import dev.baton.Message;
import dev.baton.chains.ProvidedChain.OutputCheck;
import java.util.Arrays;

/** Checks what comes out of the pipeline against the order that went in. Confined to one thread. */
final class BookedOrderCheck implements OutputCheck {
    private final OrderBook book;
    private final Order sent = new Order();
    private final Order booked = new Order();

    BookedOrderCheck(OrderBook book) {
        this.book = book;
    }

    @Override
    public int outputs(long number) {
        return book.isBooked(number) ? 1 : 0;
    }

    @Override
    public String fault(long number, int index, Message output) {
        if (output.length() != Order.Wire.LENGTH) {
            return output.length() + " bytes instead of " + Order.Wire.LENGTH;
        }
        book.fill(number, sent);
        Order.Wire.INSTANCE.decode(output, booked);
        if (booked.id != number) {
            return "order " + booked.id + " instead of " + number;
        }
        long price = Math.min(sent.limitCents, 9_900 + number % 200);
        if (booked.priceCents != price || booked.exposureCents != price * sent.quantity) {
            return "price " + booked.priceCents + " and exposure " + booked.exposureCents + " instead of " + price
                    + " and " + price * sent.quantity;
        }
        boolean isAsSent = booked.quantity == sent.quantity
                && booked.limitCents == sent.limitCents
                && Arrays.equals(booked.symbol, sent.symbol);
        return isAsSent && booked.currency == OrderPipeline.EURO
                ? null
                : "quantity " + booked.quantity + ", limit " + booked.limitCents + ", currency " + booked.currency
                        + " or symbol " + booked.symbol() + " is wrong";
    }
}
