package dev.baton.lab.page;

import java.util.List;

/**
 * How much of each trial goes into a page, so that a page of many trials stays small. Immutable, thread-safe.
 *
 * @param columns of a trial's time line and heat map at most; 0: neither is drawn
 * @param disturbances of a trial at most
 */
record Detail(int columns, int disturbances) {
    /** From the finest to the coarsest. */
    static final List<Detail> LEVELS = List.of(
            new Detail(300, 400),
            new Detail(150, 150),
            new Detail(75, 75),
            new Detail(40, 40),
            new Detail(20, 20),
            new Detail(0, 0));
}
