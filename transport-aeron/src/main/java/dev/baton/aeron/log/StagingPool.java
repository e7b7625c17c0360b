package dev.baton.aeron.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The memory in which the writers of one connection stage their batches. A writer has some from its first claim until its flush.
 * As a rule that is one writer at a time, whatever the number of topics, so the same memory is used again and stays in the
 * cache: while each writer had its own, loops with 2,400 chains spent 19 % of their time in stores to it.
 *
 * <p>The free ones are kept as numbers, so that taking and giving store no reference, which would cost a barrier of the
 * collector with each flush. Confined to the connection's thread.
 */
public final class StagingPool {
    private static final int FIRST_CAPACITY = 4 << 10;
    private static final int FIRST_FREE = 4;

    private ByteBuffer[] all = {};
    private int[] free = new int[FIRST_FREE]; // the last one given is the first one taken
    private int freeCount;

    /** Takes some memory; its content is undefined. Returns its number. */
    int take() {
        return freeCount == 0 ? another() : free[--freeCount];
    }

    private int another() {
        ByteBuffer made = allocate(FIRST_CAPACITY); // first: there may be no memory
        int number = all.length;
        all = Arrays.copyOf(all, number + 1);
        all[number] = made;
        if (free.length < all.length) {
            free = new int[2 * free.length]; // none is free
        }
        return number;
    }

    /** Returns the memory with a number. */
    ByteBuffer memory(int number) {
        return all[number];
    }

    /** Replaces the memory with a number by at least twice as much that has the same content. */
    ByteBuffer grow(int number, int needed) {
        ByteBuffer before = all[number];
        ByteBuffer larger = allocate(Math.max(needed, 2 * before.capacity()));
        larger.put(0, before, 0, before.capacity());
        all[number] = larger;
        return larger;
    }

    /** Gives back what was taken. */
    void give(int number) {
        free[freeCount++] = number;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
