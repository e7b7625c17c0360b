/**
 * The layout of dead letters in their topic, how they are read, and the mark of a redrive.
 *
 * <p>Called by {@code cycle}, which writes letters, and by {@link dev.baton.deadletters}, which reads them. It may use
 * {@code message}, {@code writing} and {@code plan}. Not exported.
 */
package dev.baton.engine.letters;
