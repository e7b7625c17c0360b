/**
 * The writer of a topic: the batch, the file with its blocks and its space, the sync, and the freeing of what consumers
 * have acknowledged. Internal; connections call it. It uses {@code consumers}, {@code fencing}, {@code log},
 * {@code format} and {@code platform}.
 */
package dev.baton.chronicle.writing;
