/**
 * The sliding-window job: events counted by key over a window that slides in steps, as a chain of Baton's. A {@link
 * dev.baton.lab.study.window.EventSource} feeds a {@link dev.baton.lab.study.window.WindowService}, whose emissions a {@link
 * dev.baton.lab.study.window.StepSink} times and checks; the {@link dev.baton.lab.study.window.StepBoard} combines the progress of all
 * parts of the job in each step.
 */
package dev.baton.lab.study.window;
