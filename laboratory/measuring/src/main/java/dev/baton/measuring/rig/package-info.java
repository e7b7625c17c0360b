/**
 * The seam between the laboratory, which decides what is sent and accounts for what arrives, and the engines that carry the messages; and
 * the thread that sends from outside of the chains. It depends on no engine and no other part of a trial.
 */
package dev.baton.measuring.rig;
