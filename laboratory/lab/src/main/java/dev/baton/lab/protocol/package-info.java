/**
 * The messages from the JVM of a trial to its parent. The other direction is a plan, {@link dev.baton.lab.request.TrialPlan}, in a file;
 * the final result is in a file as well. Both sides depend on these only, and not on each other.
 */
package dev.baton.lab.protocol;
