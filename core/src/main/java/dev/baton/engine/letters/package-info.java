/**
 * The layout of dead letters in their topic, and how they are read.
 *
 * <p>Called by {@code cycle}, which writes letters, and by {@link dev.baton.deadletters}, which reads them. It may use
 * {@code message}, {@code writing} and {@code plan}. Not exported.
 */
package dev.baton.engine.letters;
